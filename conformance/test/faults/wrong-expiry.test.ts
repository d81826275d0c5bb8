import { expiryBugs } from '../bugs/expiry.ts';
import { huntBugs } from '../support/bug-hunt.ts';

huntBugs(expiryBugs);
