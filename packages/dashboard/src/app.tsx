import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Router } from 'wouter';
import { createQueryClient } from './calls/use-read.ts';
import { ProofProvider } from './features/proof/proof-provider.tsx';
import { PageShown } from './page/page.tsx';
import { Routes } from './routes.tsx';
import { FaultBoundary } from './shell/fault-boundary.tsx';
import { readableColors, theme } from './theme.ts';

/** The whole dashboard. `nonce` is the one of this page's content security policy. */
export function App({ nonce }: { readonly nonce: string }) {
	const [client] = useState(createQueryClient);
	const isPageShown = useRef(false);
	return (
		<MantineProvider
			theme={theme}
			cssVariablesResolver={readableColors}
			defaultColorScheme="auto"
			getStyleNonce={() => nonce}
		>
			<FaultBoundary>
				<QueryClientProvider client={client}>
					<ProofProvider>
						<PageShown value={isPageShown}>
							<Router base="/dashboard">
								<Routes />
							</Router>
						</PageShown>
					</ProofProvider>
				</QueryClientProvider>
			</FaultBoundary>
		</MantineProvider>
	);
}
