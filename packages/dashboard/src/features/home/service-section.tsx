import type { ServiceHealth } from '@bursar/contract/dashboard';
import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useServerNow } from '../../calls/server-clock.ts';
import { useRead } from '../../calls/use-read.ts';
import { numberText } from '../../format/number.ts';
import { Answered } from '../../page/answered.tsx';
import { Columns } from '../../page/columns.tsx';
import { Placeholder } from '../../page/loading.tsx';
import { Ago } from '../../page/moment.tsx';
import { Section } from '../../page/section.tsx';
import { backupState, isYoung, ledgerState, refusedTrend } from './health.ts';
import classes from './home.module.css';
import { Sparkline } from './sparkline.tsx';
import { homeTexts } from './texts.ts';

const READ_EVERY_MS = 30_000;
/** Of a part, in pixels. */
const LEAST = 160;
const HEIGHT = 110;

/** Whether the parts of the service work, each with the page on which one can act. */
export function ServiceSection() {
	const query = useRead('/operator/health', {}, { everyMs: READ_EVERY_MS });
	return (
		<Section title={homeTexts.service}>
			<Answered query={query} skeleton={<Placeholders />}>
				{({ edges, reports, payments, ...health }) => (
					<Columns least={LEAST}>
						<Edges edges={edges} />
						<Reports reports={reports} />
						<Ledger {...health} />
						{payments && <Payments {...payments} />}
						<Backup {...health} />
					</Columns>
				)}
			</Answered>
		</Section>
	);
}

/** Also on a narrow screen they have the room of the parts. */
function Placeholders() {
	return (
		<Columns least={LEAST}>
			{['edges', 'reports', 'ledger', 'backup'].map((part) => (
				<Placeholder key={part} height={HEIGHT} />
			))}
		</Columns>
	);
}

interface PartProps {
	readonly name: string;
	readonly is: 'right' | 'wrong' | 'unknown';
	/** How it is. */
	readonly state: string;
	readonly link?: { readonly href: string; readonly text: string };
	readonly children?: ReactNode;
}

function Part({ name, is, state, link, children }: PartProps) {
	return (
		<div className={classes.part}>
			<h3 className={classes.name} data-is={is}>
				{name}
			</h3>
			<Text size="sm" c={is === 'wrong' ? 'var(--mantine-color-error)' : 'inherit'}>
				{state}
			</Text>
			{children}
			{link && (
				<Anchor component={Link} href={link.href} size="sm">
					{link.text}
				</Anchor>
			)}
		</div>
	);
}

function Edges({ edges: { count, silent, silent_count } }: Pick<ServiceHealth, 'edges'>) {
	const more = silent_count - silent.length;
	const state = silent_count > 0 ? homeTexts.silent(silent_count, count) : homeTexts.allHeard(count);
	return (
		<Part
			name={homeTexts.edges}
			is={count === 0 ? 'unknown' : silent_count === 0 ? 'right' : 'wrong'}
			state={count === 0 ? homeTexts.noEdges : state}
			link={{ href: '/edges', text: homeTexts.toEdges }}
		>
			{silent.length > 0 && (
				<ul className={classes.list}>
					{silent.map(({ name, last_seen }) => (
						<li key={name}>
							{name}: <Ago at={last_seen} />
						</li>
					))}
					{more > 0 && <li>{homeTexts.moreSilent(more)}</li>}
				</ul>
			)}
		</Part>
	);
}

function Reports({ reports }: Pick<ServiceHealth, 'reports'>) {
	const { today, usual, grows, total } = refusedTrend(reports);
	const usualText = numberText(Math.round(usual * 10) / 10);
	const state = grows ? homeTexts.refusedGrow(today, usualText) : homeTexts.refused(today, usualText);
	return (
		<Part
			name={homeTexts.reports}
			is={grows ? 'wrong' : 'right'}
			state={total === 0 ? homeTexts.noneRefused : state}
			link={{ href: '/usage', text: homeTexts.toReports }}
		>
			{total > 0 && (
				<Sparkline
					label={homeTexts.refusedTrend(total)}
					values={reports.map(({ refused }) => refused)}
					most={numberText(Math.max(...reports.map(({ refused }) => refused)))}
					from={reports[0]?.date ?? ''}
					as="bars"
				/>
			)}
		</Part>
	);
}

function Ledger({ ledger, store_made }: Pick<ServiceHealth, 'ledger' | 'store_made'>) {
	const nowMs = useServerNow(READ_EVERY_MS);
	const state = ledgerState(ledger, nowMs);
	const isEarly = state === 'never' && isYoung({ store_made }, nowMs);
	return (
		<Part
			name={homeTexts.ledger}
			is={state === 'right' ? 'right' : state === 'running' || isEarly ? 'unknown' : 'wrong'}
			state={state === 'problems' ? homeTexts.problems(ledger.last?.problems ?? 0) : homeTexts.ledgerStates[state]}
			link={{ href: '/ledger', text: homeTexts.toLedger }}
		>
			{ledger.last && (
				<Text size="sm" c="dimmed">
					{homeTexts.verified} <Ago at={ledger.last.ended} />
				</Text>
			)}
		</Part>
	);
}

function Payments({ findings, failing }: NonNullable<ServiceHealth['payments']>) {
	const texts = [
		...(findings > 0 ? [homeTexts.misfits(findings)] : []),
		...(failing > 0 ? [homeTexts.unread(failing)] : []),
	];
	return (
		<Part
			name={homeTexts.payments}
			is={texts.length > 0 ? 'wrong' : 'right'}
			state={texts.join(' ') || homeTexts.allFit}
			link={{ href: findings > 0 ? '/payments?only=findings' : '/payments', text: homeTexts.toPayments }}
		/>
	);
}

function Backup({ backup, store_made }: Pick<ServiceHealth, 'backup' | 'store_made'>) {
	const nowMs = useServerNow(READ_EVERY_MS);
	const state = backupState(backup, nowMs);
	const never = isYoung({ store_made }, nowMs) ? 'unknown' : 'wrong';
	const is = { elsewhere: 'unknown', never, old: 'wrong', right: 'right' } as const;
	return (
		<Part name={homeTexts.backup} is={is[state]} state={homeTexts.backupStates[state]}>
			{backup.is_ours && (
				<Text size="sm" c="dimmed">
					{backup.last !== null && (
						<>
							{homeTexts.made} <Ago at={backup.last} />.{' '}
						</>
					)}
					{homeTexts.backupBy} <code>bursar backup</code>.
				</Text>
			)}
		</Part>
	);
}
