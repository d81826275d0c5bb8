import { encode } from 'uqr';
import classes from './qr-code.module.css';

/** A QR code. It is dark on white in dark colours too, because many cameras read nothing else. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
	const { data, size } = encode(text, { ecc: 'M', border: 2 });
	const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
	return (
		<svg
			className={classes.code}
			viewBox={`0 0 ${size} ${size}`}
			role="img"
			aria-label={label}
			shapeRendering="crispEdges"
		>
			<path d={path} />
		</svg>
	);
}
