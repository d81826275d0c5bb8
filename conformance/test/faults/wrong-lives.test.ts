import { lifeBugs } from '../bugs/life.ts';
import { huntBugs } from '../support/bug-hunt.ts';

huntBugs(lifeBugs);
