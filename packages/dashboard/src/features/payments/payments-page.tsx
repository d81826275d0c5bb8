import type { OperatorPaymentPage, WantedPayments } from '@bursar/contract/dashboard';
import { PAYMENTS_COUNTED, USERNAME_MAX_LENGTH } from '@bursar/contract/limits';
import type { OperatorTopUp } from '@bursar/contract/payment-schemas';
import { PROVIDER_TITLES } from '@bursar/contract/payments';
import { normalizeUsername } from '@bursar/contract/username';
import { Alert, Anchor, Box, Paper, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { useServerNow } from '../../calls/server-clock.ts';
import { useRead } from '../../calls/use-read.ts';
import { numberText } from '../../format/number.ts';
import { inText } from '../../format/time.ts';
import { useResellers } from '../../forms/suggestions.ts';
import { Empty } from '../../lists/empty.tsx';
import { FilterField, Filters } from '../../lists/filters.tsx';
import { PositionPager } from '../../lists/pager.tsx';
import { type Column, Table } from '../../lists/table.tsx';
import {
	FIRST_PAGE,
	type ListPosition,
	maybeChoiceField,
	positionQueryOf,
	textField,
	type UrlFields,
	useUrlState,
} from '../../lists/url-state.ts';
import { Answered } from '../../page/answered.tsx';
import { Ago, Moment } from '../../page/moment.tsx';
import { Name } from '../../page/name.tsx';
import { Page } from '../../page/page.tsx';
import { paymentPath, resellerPath } from '../../page/paths.ts';
import { pageNames } from '../../shell/texts.ts';
import { amountColumn, WENT_BACK } from './columns.tsx';
import { findingTexts, paymentsTexts } from './operator-texts.ts';
import { OutcomeBadge } from './outcome-badge.tsx';
import { ReadAgain } from './read-again.tsx';
import { paymentTexts } from './texts.ts';

const EVERY_MS = 15_000;

/** The payments of all resellers through providers, for operators. */
export function PaymentsPage() {
	const [state, change] = useUrlState(fields);
	const { reseller, only } = state;
	const query = useRead(
		'/operator/payments',
		{ ...(reseller !== '' && { reseller }), ...(only && { only }), ...positionQueryOf(state) },
		{ keepsPrevious: true, everyMs: EVERY_MS },
	);
	const [typed, setTyped] = useState('');
	const resellers = useResellers(typed);
	const filter = (next: Partial<State>) => change({ ...next, ...FIRST_PAGE });
	const { data } = query;
	// Without payments there is nothing to choose from.
	if (data && data.payments.length === 0 && emptyText(state, data.providers) === paymentsTexts.off) {
		return (
			<Page title={pageNames.payments} lead={paymentsTexts.lead}>
				<Empty>{paymentsTexts.off}</Empty>
			</Page>
		);
	}
	return (
		<Page title={pageNames.payments} lead={paymentsTexts.lead}>
			{data && <Tests providers={data.providers} />}
			<Paper withBorder p={{ base: 'md', sm: 'lg' }} component={Stack} gap="md">
				<Which only={only} findings={data?.findings} onChange={(next) => filter({ only: next })} />
				<Box maw={400}>
					<Filters onClear={reseller === '' ? undefined : () => filter({ reseller: '' })}>
						<FilterField
							label={paymentsTexts.reseller}
							value={reseller}
							parse={normalizeUsername}
							error={paymentsTexts.invalidReseller}
							maxLength={USERNAME_MAX_LENGTH}
							suggestions={resellers}
							onType={setTyped}
							onChange={(next) => filter({ reseller: next })}
						/>
					</Filters>
				</Box>
				<Answered query={query}>
					{({ payments, providers }) =>
						payments.length > 0 ? (
							<Table
								label={paymentsTexts.label}
								columns={COLUMNS}
								rows={payments}
								keyOf={({ id }) => id}
								isStale={query.isPlaceholderData}
							/>
						) : (
							<Empty>{emptyText(state, providers)}</Empty>
						)
					}
				</Answered>
				<PositionPager query={query} position={state} onGo={change} />
			</Paper>
		</Page>
	);
}

function emptyText({ reseller, only }: State, providers: OperatorPaymentPage['providers']): string {
	if (reseller !== '' || only) return paymentsTexts.nothingFound;
	return providers.length === 0 ? paymentsTexts.off : paymentsTexts.none;
}

function Tests({ providers }: Pick<OperatorPaymentPage, 'providers'>) {
	return providers
		.filter(({ is_test }) => is_test)
		.map(({ provider }) => (
			<Alert key={provider} color="yellow">
				{paymentTexts.tests(PROVIDER_TITLES[provider])}
			</Alert>
		));
}

interface WhichProps {
	readonly only: WantedPayments | undefined;
	/** How many do not fit; `undefined` if that is not known yet. */
	readonly findings: number | undefined;
	readonly onChange: (only: WantedPayments | undefined) => void;
}

/** Chooses which payments are listed. */
function Which({ only, findings = 0, onChange }: WhichProps) {
	const misfits =
		findings < PAYMENTS_COUNTED ? paymentsTexts.findings(numberText(findings)) : paymentsTexts.manyFindings;
	return (
		<SegmentedControl
			size="xs"
			w="fit-content"
			maw="100%"
			aria-label={paymentsTexts.which}
			data={[
				{ value: '', label: paymentsTexts.all },
				{ value: 'waiting', label: paymentsTexts.waiting },
				{ value: 'findings', label: misfits },
			]}
			value={only ?? ''}
			onChange={(value) => onChange(WANTED.find((each) => each === value))}
		/>
	);
}

const COLUMNS: readonly Column<OperatorTopUp>[] = [
	{
		name: paymentTexts.id,
		cell: ({ id, timestamp, username, provider, is_test }) => (
			<>
				<Anchor component={Link} href={paymentPath(id)} size="sm" fw={500}>
					<Moment at={timestamp} />
				</Anchor>
				<Text size="sm" c="dimmed">
					<Anchor component={Link} href={resellerPath(username)} inherit>
						<Name>{username}</Name>
					</Anchor>
					{` · ${PROVIDER_TITLES[provider]}`}
					{is_test && ` · ${paymentTexts.test}`}
				</Text>
			</>
		),
	},
	{
		name: paymentTexts.state,
		cell: (payment) => (
			<div>
				<OutcomeBadge payment={payment} />
				{payment.findings.map((finding) => (
					<Text key={finding} size="sm">
						{findingTexts[finding].name}
					</Text>
				))}
			</div>
		),
	},
	amountColumn(paymentsTexts.asked, ({ amount }) => amount),
	amountColumn(paymentsTexts.settled, ({ settled }) => settled),
	WENT_BACK,
	amountColumn(paymentsTexts.booked, ({ credited }) => credited),
	{ name: paymentsTexts.read, isNumber: true, cell: (payment) => <Reads payment={payment} /> },
];

/** When it was read and will be, and whether that fails. */
function Reads({ payment }: { readonly payment: OperatorTopUp }) {
	const nowMs = useServerNow(1_000);
	const { read_at, next_read_at, failed_reads } = payment;
	return (
		<div>
			<div>{read_at === null ? paymentsTexts.neverRead : <Ago at={read_at} />}</div>
			{failed_reads > 0 && (
				<Text size="sm" c="var(--mantine-color-error)">
					{paymentsTexts.failedReads(failed_reads)}
				</Text>
			)}
			<Text size="sm" c="dimmed">
				{next_read_at === null ? paymentsTexts.notByItself : paymentsTexts.next(inText(next_read_at, nowMs))}
			</Text>
			<ReadAgain payment={payment} isCompact />
		</div>
	);
}

const WANTED: readonly WantedPayments[] = ['waiting', 'findings'];

/** Which payments are listed, as it stands in the address. */
interface State extends ListPosition {
	/** Empty: of all resellers. */
	readonly reseller: string;
	readonly only: WantedPayments | undefined;
}

const fields: UrlFields<State> = {
	reseller: textField(USERNAME_MAX_LENGTH),
	only: maybeChoiceField(WANTED),
	after: textField(),
	before: textField(),
};
