import { usernameBugs } from '../bugs/usernames.ts';
import { huntBugs } from '../support/bug-hunt.ts';

huntBugs(usernameBugs);
