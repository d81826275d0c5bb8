import type {
	BackupMade,
	EdgeUse,
	OpenInProcessOfEdge,
	OpenOnEdge,
	PublicUrl,
	RefusedRecord,
	SessionUse,
	TokenUse,
	VerificationProgress,
} from '../../src/domain/bookkeeping/record.ts';
import { NOON_MS } from './commands.ts';

export function tokenUse(hash: string, usedAtMs: number): TokenUse {
	return { kind: 'token_use', hash, usedAtMs };
}

/** The use of a token of a program of the operator. */
export function operatorTokenUse(hash: string, usedAtMs: number): TokenUse {
	return { kind: 'operator_token_use', hash, usedAtMs };
}

export function sessionUse(hash: string, usedAtMs: number): SessionUse {
	return { kind: 'session_use', hash, usedAtMs };
}

export function edgeUse(name: string, seenAtMs: number, checks = 0, refusals = 0): EdgeUse {
	return { kind: 'edge_use', name, seenAtMs, checks, refusals };
}

export function verificationProgress(id: string, done: number, result?: string | null): VerificationProgress {
	return { kind: 'verification_progress', id, done, steps: 14, result };
}

export function publicUrl(url: string): PublicUrl {
	return { kind: 'public_url', url };
}

export function backupMade(beganAtMs: number): BackupMade {
	return { kind: 'backup_made', beganAtMs };
}

export function refusedOnEdge(
	edge: string,
	username: string,
	reason: RefusedRecord['reason'],
	{ count = 1, atMs = NOON_MS, network = null }: Partial<Pick<RefusedRecord, 'count' | 'atMs' | 'network'>>,
): RefusedRecord {
	return { kind: 'refused_on_edge', edge, username, reason, count, atMs, network };
}

export function openOnEdge(edge: string, username: string, open: number): OpenOnEdge {
	return { kind: 'open_on_edge', edge, username, open };
}

export function openInProcess(edge: string, process: string, username: string, open: number): OpenInProcessOfEdge {
	return { kind: 'open_in_process', edge, process, username, open };
}
