import { createWithBugs } from '../bugs/create-with.ts';
import { huntBugs } from '../support/bug-hunt.ts';

huntBugs(createWithBugs);
