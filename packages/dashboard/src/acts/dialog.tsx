import type { ModalProps } from '@mantine/core';
import { Suspense, useState } from 'react';
import { lazyPage } from '../page/lazy-page.ts';

/** The code of all dialogs. It is loaded after the first page was shown, or when a dialog is opened. */
export const LazyDialog = lazyPage<ModalProps>(async () => (await import('./opened-dialog.tsx')).OpenedDialog);

/** A dialog above the page. What stands in it may be a lazy page. */
export function Dialog(props: ModalProps) {
	const [wasOpened, setWasOpened] = useState(false);
	if (props.opened && !wasOpened) setWasOpened(true);
	return <Suspense>{wasOpened && <LazyDialog {...props} />}</Suspense>;
}
