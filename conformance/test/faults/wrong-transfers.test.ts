import { transferBugs } from '../bugs/transfers.ts';
import { huntBugs } from '../support/bug-hunt.ts';

huntBugs(transferBugs);
