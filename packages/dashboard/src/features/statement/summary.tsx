import {
	MOVEMENT_KINDS,
	type MovementKind,
	type MovementTotal,
	type StatementPeriods,
} from '@bursar/contract/dashboard';
import { Stack, Text } from '@mantine/core';
import { changeText, moneyText } from '../../format/money.ts';
import { Answered } from '../../page/answered.tsx';
import { Facts } from '../../page/facts.tsx';
import { Placeholder } from '../../page/loading.tsx';
import { boundsOf, ownTotals, subUserTotals, sumOf } from './periods.ts';
import { filterOf, type StatementState, shownOf } from './statement-state.ts';
import { statementTexts } from './texts.ts';
import { usePeriods } from './use-statement.ts';

/** The height of a line of facts, in pixels. */
const HEIGHT = 46;

interface Props {
	readonly reseller: string | undefined;
	readonly state: StatementState;
}

/** What the transactions that a statement shows come to: the balance before and after them, and the total of each kind. */
export function Summary({ reseller, state }: Props) {
	const query = usePeriods({ reseller, bounds: boundsOf(state), username: filterOf(state).username });
	return (
		<section aria-label={statementTexts.summary}>
			<Answered query={query} skeleton={<Placeholder height={HEIGHT} />}>
				{(answer) => <Sums answer={answer} state={state} />}
			</Answered>
		</section>
	);
}

function Sums({ answer, state }: { readonly answer: StatementPeriods; readonly state: StatementState }) {
	const [period] = answer.periods;
	if (!period?.summary) {
		return (
			<Text role="status" c="dimmed" mih={HEIGHT}>
				{statementTexts.addingUp}
			</Text>
		);
	}
	const { opening, closing, totals } = period.summary;
	const shown = shownOf(state);
	const isBandwidth = ({ kind }: MovementTotal) => kind === 'usage';
	const left = totals.filter((total) => shown !== 'no_bandwidth' || !isBandwidth(total));
	if (isKind(shown)) return <KindTotal totals={totals.filter(({ kind }) => kind === shown)} />;
	if (state.sub_user !== undefined) return <Facts isShort facts={subUserTotals(left).map(factOf)} />;
	// Without some of the movements, the others do not lead from the one balance to the other.
	if (shown === 'no_bandwidth') return <Facts isShort facts={ownTotals(left).map(factOf)} />;
	return (
		<Stack gap="sm">
			<Facts
				isShort
				facts={[
					...(opening === null ? [] : [{ name: statementTexts.opening, value: moneyText(opening) }]),
					...ownTotals(totals).map(factOf),
					...(closing === null ? [] : [{ name: statementTexts.closing, value: <strong>{moneyText(closing)}</strong> }]),
				]}
			/>
			<NotOfBalance totals={totals} />
		</Stack>
	);
}

function isKind(shown: ReturnType<typeof shownOf>): shown is MovementKind {
	return MOVEMENT_KINDS.some((kind) => kind === shown);
}

function factOf({ kind, count, amount }: MovementTotal) {
	return {
		name: statementTexts.totals[kind],
		value: (
			<>
				{changeText(amount)}{' '}
				<Text span size="sm" c="dimmed">
					{statementTexts.count(count)}
				</Text>
			</>
		),
	};
}

/** All of one kind. A sub-user pays for bandwidth from its own balance, and the reseller from its own one. */
function KindTotal({ totals }: { readonly totals: readonly MovementTotal[] }) {
	const { count, amount } = sumOf(totals);
	return (
		<Facts isShort facts={[{ name: statementTexts.total(count), value: <strong>{changeText(amount)}</strong> }]} />
	);
}

/** What did not change the balance of the reseller, so it does not lead from the one balance to the other. */
export function NotOfBalance({ totals }: { readonly totals: readonly MovementTotal[] }) {
	return (
		<>
			<BySubUsers totals={totals} />
			<Owed totals={totals.filter(({ of }) => of === 'debt')} />
		</>
	);
}

/** The debt: cost that no balance covered. */
function Owed({ totals }: { readonly totals: readonly MovementTotal[] }) {
	const centsOf = (kind: MovementKind) => Math.abs(sumOf(totals.filter((total) => total.kind === kind)).amount);
	if (totals.length === 0) return null;
	return (
		<Text size="sm" c="dimmed">
			{centsOf('debt') > 0 && statementTexts.owed(moneyText(centsOf('debt')))}
			{centsOf('refund_debt') > 0 && ` ${statementTexts.owedForRefunds(moneyText(centsOf('refund_debt')))}`}
			{centsOf('debt_forgiven') > 0 && ` ${statementTexts.forgiven(moneyText(centsOf('debt_forgiven')))}`}
		</Text>
	);
}

/** What sub-users paid from their own balances. */
function BySubUsers({ totals }: { readonly totals: readonly MovementTotal[] }) {
	const { count, amount } = sumOf(totals.filter(({ of }) => of === 'sub_users'));
	if (count === 0) return null;
	return (
		<Text size="sm" c="dimmed">
			{statementTexts.bySubUsers(moneyText(-amount), count)}
		</Text>
	);
}

interface NotPostedProps {
	readonly cents: number;
	readonly closing: number;
}

/** The cost of bandwidth that is not in the ledger yet. */
export function NotPosted({ cents, closing }: NotPostedProps) {
	if (cents === 0) return null;
	return <Text size="sm">{statementTexts.notPosted(moneyText(cents), moneyText(closing - cents))}</Text>;
}
