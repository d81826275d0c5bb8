import { statSync } from 'node:fs';

/** Tells a running service when the files of its database are not those that it has opened. */
export interface FileWatch {
	/** Called again and again. */
	look(): void;
	/** Resolves, with the cause, when a file was replaced or removed: what is written from then on is not kept. */
	readonly replaced: Promise<Error>;
}

/** Watches a database that is open: as long as it is, SQLite keeps the file and its log. */
export function watchDatabaseFiles(file: string): FileWatch {
	const opened = identityOf(file);
	const replaced = Promise.withResolvers<Error>();
	return {
		look() {
			if (identityOf(file) === opened) return;
			replaced.resolve(new Error(`the database file, or its log, was replaced or removed while the service ran`));
		},
		replaced: replaced.promise,
	};
}

function identityOf(file: string): string {
	const files = [file, `${file}-wal`].map((path) => statSync(path, { throwIfNoEntry: false }));
	return files.map((stats) => stats && `${stats.dev} ${stats.ino}`).join();
}
