import { type PropsWithChildren, useCallback, useRef, useState } from 'react';
import { Dialog } from '../../acts/dialog.tsx';
import { ProveContext } from '../../calls/use-change.ts';
import { lazyPage } from '../../page/lazy-page.ts';
import { proofTexts } from './texts.ts';

export const LazyProofForm = lazyPage(async () => (await import('./proof-form.tsx')).ProofForm);

/** Above the dialog whose change needs the proof, which stays open behind it. */
const ABOVE_DIALOGS = 250;

/** Lets every component inside ask for a proof. */
export function ProofProvider({ children }: PropsWithChildren) {
	const [isOpen, setIsOpen] = useState(false);
	const answer = useRef<(isProven: boolean) => void>(undefined);

	function end(isProven: boolean) {
		setIsOpen(false);
		answer.current?.(isProven);
		answer.current = undefined;
	}

	const prove = useCallback(() => {
		// Only one change at a time waits for a proof.
		answer.current?.(false);
		setIsOpen(true);
		return new Promise<boolean>((resolve) => {
			answer.current = resolve;
		});
	}, []);

	return (
		<ProveContext value={prove}>
			{children}
			<Dialog opened={isOpen} onClose={() => end(false)} title={proofTexts.title} zIndex={ABOVE_DIALOGS} centered>
				<LazyProofForm onProven={() => end(true)} onCancel={() => end(false)} />
			</Dialog>
		</ProveContext>
	);
}
