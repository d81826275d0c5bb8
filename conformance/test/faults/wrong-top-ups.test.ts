import { topUpBugs } from '../bugs/top-ups.ts';
import { huntBugs } from '../support/bug-hunt.ts';

huntBugs(topUpBugs);
