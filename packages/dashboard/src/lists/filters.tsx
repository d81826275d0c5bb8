import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './filters.module.css';
import { listTexts } from './texts.ts';

interface Props {
	/** Removes all filters. Absent if there are none. */
	readonly onClear?: (() => void) | undefined;
	/** A button that downloads what the filters show. */
	readonly download?: ReactNode;
	/** The fields. */
	readonly children: ReactNode;
}

/** The filters of a list, side by side where there is room. */
export function Filters({ onClear, download, children }: Props) {
	return (
		<Stack gap="sm" role="search">
			<div className={classes.filters}>{children}</div>
			{(onClear || download) && (
				<Group gap="sm">
					{download}
					{onClear && (
						<Button variant="subtle" size="sm" ml={download ? 0 : -18} onClick={onClear}>
							{listTexts.clearFilters}
						</Button>
					)}
				</Group>
			)}
		</Stack>
	);
}
