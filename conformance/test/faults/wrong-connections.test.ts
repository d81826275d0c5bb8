import { connectionBugs } from '../bugs/connections.ts';
import { huntBugs } from '../support/bug-hunt.ts';

huntBugs(connectionBugs);
