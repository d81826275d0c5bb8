import { Button } from '@mantine/core';

interface Props {
	/** Drops the secret. */
	readonly onStored: () => void;
	readonly children: string;
}

/** Says that a secret is stored that cannot be shown again. */
export function StoredButton({ onStored, children }: Props) {
	return (
		<Button
			onClick={({ detail: clicks }) => {
				// The second click of a double click was meant for the button that stood here before the secret.
				if (clicks < 2) onStored();
			}}
		>
			{children}
		</Button>
	);
}
