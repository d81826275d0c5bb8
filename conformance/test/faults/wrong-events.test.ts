import { eventBugs } from '../bugs/events.ts';
import { huntBugs } from '../support/bug-hunt.ts';

huntBugs(eventBugs);
