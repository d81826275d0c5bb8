-- The image of PostgreSQL runs this once, when its volume is new: the service is no superuser.
\getenv password BURSAR_PASSWORD
CREATE ROLE bursar LOGIN PASSWORD :'password';
CREATE DATABASE bursar OWNER bursar ENCODING 'UTF8' TEMPLATE template0;
