import { statementBugs } from '../bugs/statement.ts';
import { huntBugs } from '../support/bug-hunt.ts';

huntBugs(statementBugs);
