import { Page } from '../frame/page.tsx';

export function FirstFactor({ onDone }: { readonly onDone: () => void }) {
	return (
		<Page title="">
			<button type="button" onClick={onDone} />
		</Page>
	);
}
