import { Modal, type ModalProps } from '@mantine/core';
import { Suspense, useEffect, useState } from 'react';
import { Loading } from '../page/loading.tsx';
import { actTexts } from './texts.ts';

const TITLE = {
	fontSize: 'var(--mantine-font-size-lg)',
	fontWeight: 600,
	lineHeight: 1.35,
	overflowWrap: 'anywhere',
} as const;

/** A dialog that was opened once. It is drawn closed first, so that it notices where the focus was. */
export function OpenedDialog({ opened, children, ...props }: ModalProps) {
	const [isDrawn, setDrawn] = useState(false);
	useEffect(() => setDrawn(true), []);
	return (
		<Modal
			{...props}
			opened={opened && isDrawn}
			closeButtonProps={{ 'aria-label': actTexts.close }}
			styles={{ title: TITLE }}
		>
			<Suspense fallback={<Loading />}>{children}</Suspense>
		</Modal>
	);
}
