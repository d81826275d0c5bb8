import { Page } from '../frame/page.tsx';
import { invitationTexts } from '../texts/invitation.ts';

export function Invitation() {
	return <Page title={invitationTexts.title} />;
}
