import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/**
 * For the frame of a table: it gets `data-cards` while the table needs more room than the frame has. What a table needs
 * depends on the language and on what it shows, so it is measured, before the browser draws.
 */
export function useCards(): RefObject<HTMLDivElement | null> {
	const frame = useRef<HTMLDivElement>(null);

	useLayoutEffect(() => {
		if (frame.current) fit(frame.current);
	});

	useEffect(() => {
		const element = frame.current;
		if (!element) return undefined;
		let width = element.clientWidth;
		const observer = new ResizeObserver(() => {
			if (element.clientWidth === width) return;
			width = element.clientWidth;
			fit(element);
		});
		observer.observe(element);
		return () => observer.disconnect();
	}, []);

	return frame;
}

function fit(frame: HTMLElement): void {
	frame.removeAttribute('data-cards');
	frame.toggleAttribute('data-cards', frame.scrollWidth > frame.clientWidth);
}
