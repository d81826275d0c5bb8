import type { PaymentOutcome, ResellerDetails } from '@bursar/contract/dashboard';
import { Button, type ButtonProps, Text } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../../../api/use-act.ts';
import { actTitle } from '../../../frame/act-title.ts';
import { Dialog } from '../../../frame/dialog.tsx';
import { Panel } from '../../../frame/panel.tsx';
import { frameTexts } from '../../../texts/frame.ts';
import { resellerTexts } from '../../../texts/resellers.ts';
import { useNoteReseller } from '../api/use-reseller.ts';
import type { PaymentPath } from '../payment.ts';
import { type Payment, PaymentForm } from './payment-form.tsx';

interface Props extends ButtonProps {
	readonly path: PaymentPath;
	readonly details: ResellerDetails;
	readonly children: string;
}

/** A button that moves an operator's money in a dialog: in with a top-up, or back out with an adjustment. */
export function PaymentButton({ path, details, children, ...button }: Props) {
	const { reseller, balance } = details;
	const act = useAct(path);
	const note = useNoteReseller();
	const [paid, setPaid] = useState<PaidProps>();

	function open() {
		setPaid(undefined);
		act.open();
	}
	async function send(payment: Payment) {
		const outcome = await act.send({ reseller, ...payment });
		if (outcome) setPaid({ outcome, reference: payment.reference });
		void note(reseller, outcome?.details);
	}

	return (
		<>
			<Button {...button} onClick={open}>
				{children}
			</Button>
			<Dialog opened={act.isOpen} onClose={act.close} title={actTitle(act, resellerTexts.payTitles[path](reseller))}>
				{paid ? (
					<Paid {...paid} onClose={act.close} />
				) : (
					<PaymentForm path={path} balance={balance} act={act} onSend={(payment) => void send(payment)} />
				)}
			</Dialog>
		</>
	);
}

interface PaidProps {
	readonly outcome: PaymentOutcome;
	readonly reference: string;
}

function Paid({ outcome: { repeated, details }, reference, onClose }: PaidProps & { readonly onClose: () => void }) {
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
