import { Page } from '../frame/page.tsx';
import { frameTexts } from '../texts/frame.ts';

export function Account() {
	return <Page title={frameTexts.account} />;
}
