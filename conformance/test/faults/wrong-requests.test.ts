import { requestBugs } from '../bugs/requests.ts';
import { huntBugs } from '../support/bug-hunt.ts';

huntBugs(requestBugs);
