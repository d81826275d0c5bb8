import { Modal } from '@mantine/core';
import { type PropsWithChildren, useCallback, useRef, useState } from 'react';
import { ProveContext } from '../../../api/prove.ts';
import { proofTexts } from '../../../texts/proof.ts';
import { ProofForm } from './proof-form.tsx';

/** Above the dialog that asks for the proof: that one stays open behind it, with what was chosen in it. */
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
			<Modal opened={isOpen} onClose={() => end(false)} title={proofTexts.title} zIndex={ABOVE_DIALOGS} centered>
				<ProofForm onProven={() => end(true)} onCancel={() => end(false)} />
			</Modal>
		</ProveContext>
	);
}
