import type { InvitedPerson } from '@bursar/contract/dashboard';
import { invitationTexts } from '../../texts/invitation.ts';

/** What the link is for. */
export function invitationIntro({ email, reseller, signs_in, new_person }: InvitedPerson) {
	const { title, signsIn, againTitle, again, forOperator, forReseller } = invitationTexts;
	if (signs_in) return { title, lead: signsIn(email) };
	if (!new_person) return { title: againTitle, lead: again };
	return { title, lead: reseller === null ? forOperator : forReseller(reseller) };
}
