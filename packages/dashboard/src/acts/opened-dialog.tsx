import { Modal, type ModalProps } from '@mantine/core';
import { Suspense, useEffect, useState } from 'react';
import { Loading } from '../page/loading.tsx';
import classes from './opened-dialog.module.css';
import { actTexts } from './texts.ts';

/** A dialog that was opened once. It is drawn closed first, so that it notices where the focus was. */
export function OpenedDialog({ opened, children, ...props }: ModalProps) {
	const [isDrawn, setDrawn] = useState(false);
	useEffect(() => setDrawn(true), []);
	return (
		<Modal
			{...props}
			opened={opened && isDrawn}
			closeButtonProps={{ 'aria-label': actTexts.close }}
			classNames={{ title: classes.title }}
		>
			<Suspense fallback={<Loading />}>{children}</Suspense>
		</Modal>
	);
}
