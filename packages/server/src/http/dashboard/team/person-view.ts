import type { InvitationLink, ListedPerson } from '@bursar/contract/dashboard';
import type { Linked } from '../../../commands/people/links.ts';
import { linkUrl } from '../../../credentials.ts';
import type { PersonOfReseller } from '../../../store/tables/people/lists.ts';
import { time, timeOrNull } from '../calls/times.ts';

/** A person as operators and colleagues see them. */
export function personView({ email, role, state, secondFactor, lastSeenAtMs }: PersonOfReseller): ListedPerson {
	return { email, role, state, second_factor: secondFactor, last_seen: timeOrNull(lastSeenAtMs) };
}

/** The link for a person. It stands only in the answer and, if the service sends mail, in a mail to this person. */
export function linkView(
	publicUrl: string,
	secret: string,
	{ email, expiresAtMs, mailing }: Omit<Linked, 'ok'>,
): InvitationLink {
	return { link: linkUrl(publicUrl, secret), email, expires: time(expiresAtMs), mailing };
}
