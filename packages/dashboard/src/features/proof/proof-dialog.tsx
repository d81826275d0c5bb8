import { Modal } from '@mantine/core';
import { type PropsWithChildren, useCallback, useRef, useState } from 'react';
import { proofTexts } from '../../texts/proof.ts';
import { ProofForm } from './proof-form.tsx';
import { ProveContext } from './prove.ts';

/** Above the dialog that asks for the proof, which stays open behind it. */
const ABOVE_DIALOGS = 300;

/** Lets every component inside ask for a proof. */
export function ProofProvider({ children }: PropsWithChildren) {
	const [isOpen, setIsOpen] = useState(false);
	const answer = useRef<(isProven: boolean) => void>(undefined);

	const end = useCallback((isProven: boolean) => {
		setIsOpen(false);
		answer.current?.(isProven);
		answer.current = undefined;
	}, []);

	const prove = useCallback(() => {
		// Only one change at a time can wait for a proof.
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
