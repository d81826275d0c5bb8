import type { ListedFurtherToken, ListedOperatorToken } from '@bursar/contract/dashboard';
import { Code, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useServerNow } from '../../calls/server-clock.ts';
import { type Column, Table } from '../../lists/table.tsx';
import { Ago, Moment } from '../../page/moment.tsx';
import { Name } from '../../page/name.tsx';
import { StateBadge } from '../../page/state-badge.tsx';
import { namedTokenTexts } from './texts.ts';

type ListedToken = ListedFurtherToken | ListedOperatorToken;

interface Props<Token extends ListedToken> {
	readonly tokens: readonly Token[];
	/** Who made a token, in words. */
	readonly makerOf: (madeBy: string) => string;
	/** The button that ends a token. Without it, the person may only read. */
	readonly endButton?: ((token: Token) => ReactNode) | undefined;
}

/** Tokens with names. The tokens themselves are not known any more. */
export function TokensTable<Token extends ListedToken>({ tokens, makerOf, endButton }: Props<Token>) {
	const columns: readonly Column<Token>[] = [
		{ name: namedTokenTexts.name, cell: ({ name, tail }) => <Named name={name} tail={tail} /> },
		{ name: namedTokenTexts.mayDo, cell: (token) => <MayDo token={token} /> },
		{
			name: namedTokenTexts.made,
			isNumber: true,
			cell: ({ made, made_by }) => (
				<>
					<Moment at={made} />
					<Text size="sm" c="dimmed">
						<Name>{namedTokenTexts.by(makerOf(made_by))}</Name>
					</Text>
				</>
			),
		},
		{ name: namedTokenTexts.until, isNumber: true, cell: ({ expires }) => <End at={expires} /> },
		{
			name: namedTokenTexts.lastUsed,
			isNumber: true,
			cell: ({ last_used }) => (last_used === null ? namedTokenTexts.never : <Ago at={last_used} />),
		},
	];
	const actions: Column<Token> = {
		name: namedTokenTexts.actions,
		isPlain: true,
		isNumber: true,
		cell: (token) => endButton?.(token),
	};
	return (
		<Table
			label={namedTokenTexts.label}
			columns={endButton ? [...columns, actions] : columns}
			rows={tokens}
			keyOf={({ name }) => name}
		/>
	);
}

function Named({ name, tail }: Pick<ListedToken, 'name' | 'tail'>) {
	return (
		<>
			<Text component="span" size="sm" fw={500}>
				<Name>{name}</Name>
			</Text>
			<Text size="sm" c="dimmed">
				{namedTokenTexts.endsIn(tail)}
			</Text>
		</>
	);
}

function MayDo({ token }: { readonly token: ListedToken }) {
	const addresses = 'allowed_ips' in token ? token.allowed_ips : null;
	return (
		<>
			<Group gap={4}>
				{token.scopes.map((scope) => (
					<Code key={scope}>{scope}</Code>
				))}
			</Group>
			{addresses && (
				<Text size="sm" c="dimmed">
					<Name>{namedTokenTexts.onlyFrom(addresses.join(', '))}</Name>
				</Text>
			)}
		</>
	);
}

function End({ at }: { readonly at: string }) {
	const isExpired = useServerNow(1000) >= Date.parse(at);
	return (
		<div>
			<Moment at={at} />
			{isExpired && (
				<div>
					<StateBadge tone="bad">{namedTokenTexts.expired}</StateBadge>
				</div>
			)}
		</div>
	);
}
