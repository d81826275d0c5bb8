import { accountBugs } from '../bugs/accounts.ts';
import { huntBugs } from '../support/bug-hunt.ts';

huntBugs(accountBugs);
