import { Stack, type StackProps } from '@mantine/core';
import { focusOnMount } from './focus-on-mount.ts';
import classes from './panel.module.css';

/** What replaces a form in its dialog, like an outcome. It takes the focus. */
export function Panel(props: StackProps) {
	return <Stack gap="lg" ref={focusOnMount} tabIndex={-1} className={classes.panel} {...props} />;
}
