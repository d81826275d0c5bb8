/** An e-mail address, or another name of who did something. If it does not fit, its lines break at the `@`. */
export function Email({ address }: { readonly address: string }) {
	const at = address.indexOf('@') + 1;
	return (
		<>
			{address.slice(0, at)}
			<wbr />
			{address.slice(at)}
		</>
	);
}
