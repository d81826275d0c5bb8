import { Page } from '../frame/page.tsx';
import { frameTexts } from '../texts/frame.ts';

export function Token() {
	return <Page title={frameTexts.token} />;
}
