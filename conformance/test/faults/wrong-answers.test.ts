import { answerBugs } from '../bugs/answers.ts';
import { huntBugs } from '../support/bug-hunt.ts';

huntBugs(answerBugs);
