import { pageBugs } from '../bugs/pages.ts';
import { huntBugs } from '../support/bug-hunt.ts';

huntBugs(pageBugs);
