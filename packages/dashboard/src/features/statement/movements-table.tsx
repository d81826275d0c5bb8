import type { Movement, PaidUsage } from '@bursar/contract/dashboard';
import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { bytesText } from '../../format/bytes.ts';
import { changeText, moneyText, priceText } from '../../format/money.ts';
import { type Column, Table } from '../../lists/table.tsx';
import { Moment } from '../../page/moment.tsx';
import { Name } from '../../page/name.tsx';
import { resellerSubUserPath } from '../../page/paths.ts';
import { detailsText, makerText, statementTexts, usageText } from './texts.ts';

/** Whose account the page is about: the reseller's, as it sees it or as an operator does, or that of one sub-user. */
type Perspective = 'reseller' | 'operator' | 'sub_user';

interface Props {
	readonly movements: readonly Movement[];
	readonly perspective: Perspective;
	/** For operators: whose movements they are. */
	readonly reseller?: string | undefined;
	/** Whether other movements are being read. */
	readonly isStale?: boolean;
}

/** Movements of money, each with the balance of the account that the page is about. */
export function MovementsTable({ movements, perspective, reseller, isStale = false }: Props) {
	return (
		<Table
			label={statementTexts.label}
			columns={columnsFor(perspective, pathsFor(perspective, reseller))}
			rows={movements}
			keyOf={({ number }) => number}
			isStale={isStale}
		/>
	);
}

type PathOf = (username: string) => string;

/** The pages of the sub-users that are named; `undefined` on the page of one of them. */
function pathsFor(perspective: Perspective, reseller: string | undefined): PathOf | undefined {
	if (perspective === 'sub_user') return undefined;
	return reseller === undefined
		? (username) => `/sub-users/${encodeURIComponent(username)}`
		: (username) => resellerSubUserPath(reseller, username);
}

function columnsFor(perspective: Perspective, pathOf: PathOf | undefined): readonly Column<Movement>[] {
	return [
		{
			name: statementTexts.at,
			onCard: 'left',
			cell: ({ at, number }) => (
				<div>
					<Moment at={at} />
					<Text size="sm" c="dimmed">
						{statementTexts.number(String(number))}
					</Text>
				</div>
			),
		},
		{
			name: statementTexts.kind,
			isPlain: true,
			onCard: 'left',
			cell: ({ kind }) => statementTexts.kinds[kind],
		},
		...(pathOf ? [subUserColumn(pathOf)] : []),
		{ name: statementTexts.by, cell: (movement) => <Maker movement={movement} /> },
		{
			name: statementTexts.amount,
			isNumber: true,
			onCard: 'right',
			cell: (movement) => (
				<>
					{changeText(movement.amount)}{' '}
					{isOfAnother(movement, perspective) && (
						<Text span size="sm" c="dimmed">
							<Name>{statementTexts.balanceOf(movement.of)}</Name>
						</Text>
					)}
				</>
			),
		},
		{
			name: statementTexts.balanceTitles[perspective],
			isNumber: true,
			onCard: 'right',
			isNamedOnCard: true,
			cell: (movement) =>
				movement.balance === null || isOfAnother(movement, perspective) ? '–' : moneyText(movement.balance),
		},
	];
}

/** Whether it left the balance of the account as it was. A sub-user pays for bandwidth, and the reseller pays fees. */
function isOfAnother({ of, username }: Movement, perspective: Perspective): boolean {
	return (of === username) !== (perspective === 'sub_user');
}

function subUserColumn(pathOf: PathOf): Column<Movement> {
	return {
		name: statementTexts.subUser,
		isPlain: true,
		cell: ({ username }) =>
			username === null ? null : (
				<Anchor component={Link} href={pathOf(username)} size="sm">
					<Name>{username}</Name>
				</Anchor>
			),
	};
}

function Maker({ movement }: { readonly movement: Movement }) {
	if (movement.usage.length > 0) return <PaidFor usage={movement.usage} />;
	const details = detailsText(movement);
	return (
		<div>
			<Name>{makerText(movement.by)}</Name>
			{details !== '' && (
				<Text size="sm" c="dimmed">
					{details}
				</Text>
			)}
		</div>
	);
}

/** The bandwidth that was paid for. It opens to the bytes of each price. */
function PaidFor({ usage }: { readonly usage: readonly PaidUsage[] }) {
	return (
		<details>
			<summary>{usageText(usage)}</summary>
			{usage.map(({ price, since, bytes }) => (
				<Text key={`${price} ${since}`} size="sm" c="dimmed">
					{statementTexts.atPrice(bytesText(bytes), priceText(price))} <Moment at={since} />
				</Text>
			))}
		</details>
	);
}
