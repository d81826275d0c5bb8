import { tokenBugs } from '../bugs/tokens.ts';
import { huntBugs } from '../support/bug-hunt.ts';

huntBugs(tokenBugs);
