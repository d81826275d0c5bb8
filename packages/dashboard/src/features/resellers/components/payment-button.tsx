import type { PaymentOutcome, ResellerDetails } from '@bursar/contract/dashboard';
import { Button, type ButtonProps, Text } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../../../api/use-act.ts';
import { Dialog } from '../../../frame/dialog.tsx';
import { LostAct } from '../../../frame/lost-act.tsx';
import { Panel } from '../../../frame/panel.tsx';
import { frameTexts } from '../../../texts/frame.ts';
import { resellerTexts } from '../../../texts/resellers.ts';
import { useNoteReseller } from '../api/use-reseller.ts';
import { type PaymentPath, plainReference } from '../payment.ts';
import { PaymentForm } from './payment-form.tsx';

interface Props extends ButtonProps {
	readonly path: PaymentPath;
	readonly details: ResellerDetails;
	readonly children: string;
}

const NOTHING = { amount: '', reference: '', reason: '' };

/** A button that moves an operator's money in a dialog: in with a top-up, or back out with an adjustment. */
export function PaymentButton({ path, details, children, ...button }: Props) {
	const { reseller, balance } = details;
	const act = useAct(path);
	const note = useNoteReseller();
	const [typed, setTyped] = useState(NOTHING);
	/** What is sent, and sent again if its answer is lost. */
	const [amount, setAmount] = useState(0);
	const [outcome, setOutcome] = useState<PaymentOutcome>();
	const reference = plainReference(typed.reference);

	function open() {
		setTyped(NOTHING);
		setOutcome(undefined);
		act.open();
	}
	async function send(cents: number) {
		setAmount(cents);
		const answer = await act.send({ reseller, amount: cents, reference, reason: typed.reason.trim() });
		if (answer) setOutcome(answer);
		void note(reseller, answer?.details);
	}

	function panel() {
		if (outcome) return <Paid outcome={outcome} reference={reference} onClose={act.close} />;
		if (act.state !== 'open') {
			return (
				<LostAct
					act={act}
					lost={resellerTexts.payLost}
					repeated={resellerTexts.paidOnce}
					onTryAgain={() => void send(amount)}
					onClose={act.close}
				/>
			);
		}
		return (
			<PaymentForm
				path={path}
				balance={balance}
				act={act}
				typed={typed}
				onType={(change) => setTyped({ ...typed, ...change })}
				onSubmit={(cents) => void send(cents)}
			/>
		);
	}

	return (
		<>
			<Button {...button} onClick={open}>
				{children}
			</Button>
			<Dialog
				opened={act.isOpen}
				onClose={act.close}
				title={act.state === 'open' ? resellerTexts.payTitles[path](reseller) : frameTexts.lostTitle}
			>
				{act.isOpen && panel()}
			</Dialog>
		</>
	);
}

interface PaidProps {
	readonly outcome: PaymentOutcome;
	readonly reference: string;
	readonly onClose: () => void;
}

function Paid({ outcome: { repeated, details }, reference, onClose }: PaidProps) {
	return (
		<Panel>
			<Text role="status">
				{repeated ? resellerTexts.paidBefore(reference, details.balance) : resellerTexts.paid(details.balance)}
			</Text>
			<Button onClick={onClose} style={{ alignSelf: 'flex-end' }}>
				{frameTexts.close}
			</Button>
		</Panel>
	);
}
