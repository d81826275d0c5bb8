import type { OperatorTopUp } from '@bursar/contract/payment-schemas';
import { Button, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import { newActId } from '../../acts/act.ts';
import { serverNowMs, useServerNow } from '../../calls/server-clock.ts';
import { useChange } from '../../calls/use-change.ts';
import { useRead, useTakeOver } from '../../calls/use-read.ts';
import { Done } from '../../page/done.tsx';
import { Failure } from '../../page/failure.tsx';
import { paymentsTexts } from './operator-texts.ts';

const SOON_MS = 1_000;
const EVERY_MS = 15_000;
/** @bound A page looks each second whether a payment was read again: then every 15 s. */
const SOON_FOR_MS = 60_000;

interface Props {
	readonly payment: OperatorTopUp;
	/** Whether it stands in a table. */
	readonly isCompact?: boolean;
}

interface Asked {
	/** As it was then. */
	readonly payment: OperatorTopUp;
	/** When the read was asked for, by the server's clock. */
	readonly atMs: number;
}

/** A button that has a payment read at its provider, and then looks until that is done. */
export function ReadAgain({ payment, isCompact = false }: Props) {
	const takeOver = useTakeOver();
	const { run, isBusy, failure } = useChange('/operator/payments/read');
	const [asked, setAsked] = useState<Asked>();

	async function ask() {
		const answer = await run({ act: newActId(), id: payment.id });
		if (!answer) return;
		await takeOver({ path: '/operator/payment', query: { id: payment.id }, answer });
		setAsked({ payment: answer, atMs: serverNowMs() });
	}

	return (
		<Stack gap="md" align={isCompact ? 'flex-end' : 'flex-start'}>
			<Button variant="default" size={isCompact ? 'compact-xs' : 'sm'} loading={isBusy} onClick={() => void ask()}>
				{paymentsTexts.readAgain}
			</Button>
			<Done>{asked && <Progress asked={asked} />}</Done>
			<Failure error={failure} />
		</Stack>
	);
}

/** Whether it was read since then. */
function Progress({ asked }: { readonly asked: Asked }) {
	const takeOver = useTakeOver();
	const nowMs = useServerNow(SOON_MS);
	const { id } = asked.payment;
	const isSoon = nowMs - asked.atMs < SOON_FOR_MS;
	const { data } = useRead(
		'/operator/payment',
		{ id },
		{ staleMs: 0, everyMs: (now) => (endOf(asked, now) === undefined && isSoon ? SOON_MS : EVERY_MS) },
	);
	const end = endOf(asked, data);
	// The list and the statement have what was found, too.
	// biome-ignore lint/correctness/useExhaustiveDependencies: only the end of the read matters.
	useEffect(() => {
		if (end) void takeOver(undefined, ['/operator/payments', '/operator/statement', '/operator/statement/periods']);
	}, [end]);
	if (end) return paymentsTexts.ends[end];
	return isSoon ? paymentsTexts.reading : paymentsTexts.readSlowly;
}

function endOf({ payment }: Asked, now: OperatorTopUp | undefined): 'read' | 'failed' | undefined {
	if (!now) return undefined;
	if (now.read_at !== payment.read_at) return 'read';
	return now.failed_reads > payment.failed_reads ? 'failed' : undefined;
}
