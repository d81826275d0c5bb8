import { deleteBugs } from '../bugs/deletes.ts';
import { huntBugs } from '../support/bug-hunt.ts';

huntBugs(deleteBugs);
