import { Button, Group, Text } from '@mantine/core';
import { momentText } from '../format/time.ts';
import { frameTexts } from '../texts/frame.ts';
import { Pager } from './pager.tsx';

interface Props {
	/** How far back the search has looked, if it can go on on this page. */
	readonly searchedTo: string | undefined;
	/** Looks further back. */
	readonly onGoOn: () => void;
	readonly isBusy: boolean;
	/** Absent on the newest page. */
	readonly onNewest?: (() => void) | undefined;
	/** Absent if nothing older follows. */
	readonly onOlder?: (() => void) | undefined;
}

/** Stands below a list that is searched in bounded steps: how far it has looked, and what can be seen next. */
export function SearchEnd({ searchedTo, onGoOn, isBusy, onNewest, onOlder }: Props) {
	return (
		<>
			{searchedTo !== undefined && (
				<Group gap="sm">
					<Text size="sm" c="dimmed" role="status">
						{frameTexts.searchedTo(momentText(searchedTo))}
					</Text>
					<Button size="sm" variant="default" loading={isBusy} onClick={onGoOn}>
						{frameTexts.goOn}
					</Button>
				</Group>
			)}
			<Pager
				onPrevious={onNewest}
				onNext={onOlder}
				isBusy={isBusy}
				previousText={frameTexts.newest}
				nextText={frameTexts.older}
			/>
		</>
	);
}
