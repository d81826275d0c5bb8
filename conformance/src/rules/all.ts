import type { Rule } from '../run/rule.ts';
import { amountRules } from './amounts.ts';
import { authKeyRules } from './auth-keys.ts';
import { authenticationRules } from './authentication.ts';
import { bodyRules } from './bodies.ts';
import { changeIdRules } from './change-ids.ts';
import { createRules } from './create.ts';
import { createFeeRules, spendingRules } from './create-fee.ts';
import { createWithRules } from './create-with.ts';
import { deleteRules } from './deletes.ts';
import { eventRules } from './events.ts';
import { everyAnswerRules } from './every-answer.ts';
import { expiryRules } from './expiry.ts';
import { connectionRules, faultRules, httpRules } from './http.ts';
import { isolationRules } from './isolation.ts';
import { lifeRules } from './life.ts';
import { lifeRequestRules } from './life-requests.ts';
import { orderRules, pathRules } from './order.ts';
import { pageRules } from './pages.ts';
import { readRules } from './reads.ts';
import { statementRules } from './statement.ts';
import { tokenRules } from './tokens.ts';
import { topUpRules } from './top-ups.ts';
import { transferRules } from './transfers.ts';
import { usageRules } from './usage.ts';
import { usernameRules } from './usernames.ts';

/** Every rule, in the order in which they are tested. The last ones check the whole run. */
export const allRules: readonly Rule[] = [
	...authenticationRules,
	...pathRules,
	...orderRules,
	...bodyRules,
	...createRules,
	...createFeeRules,
	...usernameRules,
	...amountRules,
	...transferRules,
	...readRules,
	...authKeyRules,
	...usageRules,
	...expiryRules,
	...changeIdRules,
	...lifeRules,
	...lifeRequestRules,
	...createWithRules,
	...deleteRules,
	...pageRules,
	...statementRules,
	...eventRules,
	...tokenRules,
	...topUpRules,
	...isolationRules,
	...httpRules,
	...connectionRules,
	...faultRules,
	...everyAnswerRules,
	...spendingRules,
];
