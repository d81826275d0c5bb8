-- breaking: no

-- Finds who had an address, and who worked for a reseller.
CREATE INDEX removed_people_by_email ON removed_people (email);
CREATE INDEX removed_people_by_reseller ON removed_people (reseller);
