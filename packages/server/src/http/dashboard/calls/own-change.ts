import type { ActKind } from '@bursar/contract/dashboard';
import type { OwnChange } from '../../../commands/person-verb.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { PersonCall } from './call.ts';

/** Who makes a change, in which session, and what is recorded of it. */
export function ownChange(
	{ caller, request }: PersonCall,
	sessions: Pick<Sessions, 'addressOf'>,
	{ act, kind, target = '' }: { readonly act: string; readonly kind: ActKind; readonly target?: string },
): OwnChange {
	const { session, record } = caller;
	const person = record.person.id;
	const address = sessions.addressOf(request).text;
	const made = { id: act, person, session: session.id, address, requestId: request.id };
	return { person, sessionHash: session.hash, act: { ...made, kind, target } };
}
