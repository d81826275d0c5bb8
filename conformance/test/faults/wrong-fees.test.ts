import { feeBugs } from '../bugs/fees.ts';
import { huntBugs } from '../support/bug-hunt.ts';

huntBugs(feeBugs);
