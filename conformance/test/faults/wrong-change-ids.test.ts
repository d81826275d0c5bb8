import { changeIdBugs } from '../bugs/change-ids.ts';
import { huntBugs } from '../support/bug-hunt.ts';

huntBugs(changeIdBugs);
