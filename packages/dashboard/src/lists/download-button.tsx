import { DASHBOARD_API, type DashboardFiles } from '@bursar/contract/dashboard';
import { Button, Stack } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import IconDownload from '@tabler/icons-react/icons/IconDownload';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type CallError, callErrorOf, withQuery } from '../calls/call.ts';
import { readPresence } from '../calls/presence.ts';
import { browserZone } from '../format/days.ts';
import { Failure } from '../page/failure.tsx';
import classes from './lists.module.css';
import { listTexts } from './texts.ts';

interface Props<Path extends keyof DashboardFiles> {
	readonly path: Path;
	/** Without the time zone, which is the browser's. */
	readonly query: Omit<DashboardFiles[Path]['query'], 'zone'>;
	/** Whether the file has times, which are written in the browser's time zone. */
	readonly hasTimes?: boolean;
	readonly children: string;
}

/**
 * Downloads a file. The browser takes it from the service directly, so its size does not matter, but the page does not
 * learn whether it was refused. So the session is looked at before, and a note says what else can be the reason.
 */
export function DownloadButton<Path extends keyof DashboardFiles>({
	path,
	query,
	hasTimes = true,
	children,
}: Props<Path>) {
	const client = useQueryClient();
	const [state, setState] = useState<{
		readonly isBusy: boolean;
		readonly isBegun?: boolean;
		readonly error?: CallError;
	}>({ isBusy: false });

	// The note lies above the page, so that nothing jumps. It disappears with the next click or key.
	const forget = () => setState((now) => (now.isBegun ? { isBusy: false } : now));
	useWindowEvent('pointerdown', forget);
	useWindowEvent('keydown', forget);

	async function download() {
		if (state.isBusy) return;
		setState({ isBusy: true });
		try {
			const { person } = await readPresence(client);
			if (person) begin(DASHBOARD_API + withQuery(path, { ...query, ...(hasTimes && { zone: browserZone() }) }));
			setState(person ? { isBusy: false, isBegun: true } : { isBusy: false });
		} catch (error) {
			setState({ isBusy: false, error: callErrorOf(error) });
		}
	}

	return (
		<>
			<Stack gap={4} align="flex-start">
				<Button
					variant="default"
					size="sm"
					leftSection={<IconDownload size={16} aria-hidden="true" />}
					loading={state.isBusy}
					onClick={() => void download()}
				>
					{children}
				</Button>
				<p className={classes.note} role="status">
					{state.isBegun && listTexts.downloadBegun}
				</p>
			</Stack>
			<Failure error={state.error} />
		</>
	);
}

/** A link that downloads never leaves the page, not even if the service refuses. */
function begin(address: string): void {
	const link = document.createElement('a');
	link.href = address;
	link.download = '';
	link.click();
}
