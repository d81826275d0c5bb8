import { Group, Text } from '@mantine/core';
import { pageTexts } from '../page/texts.ts';
import classes from './mark.module.css';

/** The name of the product with its mark: a letter b around a coin. `mark.svg` is the same for the tab of the browser. */
export function ProductName() {
	return (
		<Group gap={8} wrap="nowrap">
			<svg className={classes.mark} viewBox="0 0 32 32" aria-hidden="true">
				<rect className={classes.ground} width="32" height="32" rx="8" />
				<rect className={classes.figure} x="8.5" y="6" width="3.5" height="20" rx="1.75" />
				<circle className={classes.ring} cx="17.5" cy="19.5" r="5.25" />
				<circle className={classes.figure} cx="17.5" cy="19.5" r="1.5" />
			</svg>
			<Text fw={700} size="lg">
				{pageTexts.product}
			</Text>
		</Group>
	);
}
