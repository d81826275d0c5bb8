import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FailureText } from '../calls/failure-texts.ts';
import { Failure, FailureNote } from '../page/failure.tsx';
import { pageTexts } from '../page/texts.ts';
import { Panel } from './panel.tsx';
import { actTexts } from './texts.ts';
import type { Act, ActBody, ActPath } from './use-act.ts';

interface Props<Path extends ActPath> {
	readonly act: Act<Path>;
	/** What would be sent now; `undefined` while something is missing. */
	readonly body: ActBody<Path> | undefined;
	/** The text of the button that sends it. */
	readonly action: string;
	readonly isDangerous?: boolean;
	/** Whether it stands on the page instead of in a dialog, so that nothing closes it. */
	readonly isOnPage?: boolean;
	/** Whether the focus begins at the button that closes the dialog. */
	readonly startsAtCancel?: boolean;
	/** Said instead of the usual text of a failure. */
	readonly failureText?: FailureText | undefined;
	/** What is known if its answer was lost, if not the usual text. */
	readonly lost?: string;
	/** What is known if it turned out that it was done before, if not the usual text. */
	readonly repeated?: ReactNode;
	/** A text or fields. */
	readonly children: ReactNode;
}

/** What stands in the dialog of an act. If the answer was lost, it asks the service again instead. */
export function ActForm<Path extends ActPath>({
	act,
	body,
	action,
	isDangerous = false,
	isOnPage = false,
	startsAtCancel = false,
	failureText,
	lost = actTexts.lostAct,
	repeated = actTexts.repeated,
	children,
}: Props<Path>) {
	if (act.state !== 'open') return <LostAct act={act} said={act.state === 'lost' ? lost : repeated} />;
	return (
		<form
			onSubmit={(event) => {
				event.preventDefault();
				void act.send(body);
			}}
		>
			<Stack>
				{children}
				{failureText ? <FailureNote text={failureText} /> : <Failure error={act.failure} />}
				<Group justify={isOnPage ? 'flex-start' : 'flex-end'}>
					{!isOnPage && (
						<Button
							variant="default"
							disabled={act.isBusy}
							onClick={act.close}
							data-autofocus={startsAtCancel || undefined}
						>
							{actTexts.cancel}
						</Button>
					)}
					<Button type="submit" {...(isDangerous && { color: 'red' })} disabled={!body} loading={act.isBusy}>
						{action}
					</Button>
				</Group>
			</Stack>
		</form>
	);
}

interface LostActProps<Path extends ActPath> {
	readonly act: Act<Path>;
	readonly said: ReactNode;
}

/** Says what is known of an act whose answer was lost. */
function LostAct<Path extends ActPath>({ act: { state, isBusy, failure, close, send }, said }: LostActProps<Path>) {
	return (
		<Panel>
			<Text size="sm" component="div" role="status">
				{said}
			</Text>
			<Failure error={failure} />
			<Group justify="flex-end">
				<Button variant="default" disabled={isBusy} onClick={close}>
					{actTexts.close}
				</Button>
				{state === 'lost' && (
					<Button loading={isBusy} onClick={() => void send(undefined)}>
						{pageTexts.retry}
					</Button>
				)}
			</Group>
		</Panel>
	);
}
